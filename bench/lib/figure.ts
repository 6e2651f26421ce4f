/** One measured figure. `ratio` is `value` over the same thing measured for `against` in the same rounds. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly against?: string;
  readonly ratio?: number;
  readonly rounds: number;
}

export function report(figure: Figure): void {
  process.stdout.write(`${JSON.stringify(figure)}\n`);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1));
  return sorted[index] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function round(value: number, digits = 3): number {
  return Number(value.toPrecision(Math.max(1, digits)));
}
