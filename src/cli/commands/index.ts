import type { Command } from '../command.ts';
import { check } from './check.ts';
import { completionOf } from './completion.ts';
import { explain } from './explain.ts';
import { keys } from './keys.ts';
import { route } from './route.ts';
import { serve } from './serve.ts';
import { translate } from './translate.ts';
import { version } from './version.ts';

const WORKING: readonly Command[] = [serve, check, translate, route, explain, keys, version];

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [...WORKING, completionOf(WORKING)];
