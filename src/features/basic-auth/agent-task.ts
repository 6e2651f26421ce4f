/** What a worker thread is asked; texts are byte strings. */
export interface WorkerTask {
  readonly id: number;
  readonly hash: string;
  readonly password: string;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly right: boolean;
}

export function isWorkerTask(value: unknown): value is WorkerTask {
  return isRecord(value) && typeof value['id'] === 'number' && typeof value['hash'] === 'string' && typeof value['password'] === 'string';
}

export function isWorkerAnswer(value: unknown): value is WorkerAnswer {
  return isRecord(value) && typeof value['id'] === 'number' && typeof value['right'] === 'boolean';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object';
}
