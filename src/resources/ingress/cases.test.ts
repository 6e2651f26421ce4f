import { runCases } from '../../testing/cases.ts';

runCases(import.meta.url);
