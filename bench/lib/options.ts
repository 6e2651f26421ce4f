export interface BenchOptions {
  readonly quick: boolean;
  readonly rounds: number;
}
