import type { Command } from '../command.ts';
import { serve } from './serve.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [serve];
