import { ArgumentError } from './arguments.ts';
import { failure, type Result } from './result.ts';

/** Turns a refused argument into a value. Builders of commands throw it; nothing was sent then. */
export async function guard<T>(what: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ArgumentError) return failure('argument', what, error.refusal);
    throw error;
  }
}
