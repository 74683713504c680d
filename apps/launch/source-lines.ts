import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Four numbers a piece of the bundle: its line and column there (from 0), the source it comes from, and the line in that (from 1). */
const NUMBERS = 4;

/** Lets the stacks of errors name sources and their lines; what that takes is read when somebody looks at the first stack. */
export function nameSources(bundle: string): void {
  let lines: SourceLines | undefined;
  const named = (frame: NodeJS.CallSite & { toString(): string }): string => {
    const [text, line, column] = [frame.toString(), frame.getLineNumber(), frame.getColumnNumber()];
    if (frame.getFileName() !== bundle || line === null || column === null) return text;
    lines ??= new SourceLines(bundle);
    return text.replace(`${bundle}:${line}:${column}`, lines.at(line - 1, column - 1));
  };
  Error.prepareStackTrace = (error, frames) => [Error.prototype.toString.call(error), ...frames.map(named)].join('\n    at ');
}

/** Where each piece of the bundle comes from, as the build has written it beside the bundle. */
class SourceLines {
  private readonly sources: readonly string[];
  private readonly pieces: Uint32Array;

  constructor(bundle: string) {
    this.sources = readFileSync(`${bundle}.sources`, 'utf8').split('\n').map((source) => join(dirname(bundle), source));
    this.pieces = new Uint32Array(Uint8Array.from(readFileSync(`${bundle}.lines`)).buffer);
  }

  /** The last piece that begins at this place or before it. */
  at(line: number, column: number): string {
    let [from, to] = [0, this.pieces.length / NUMBERS];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      const [itsLine = 0, itsColumn = 0] = this.piece(middle);
      if (itsLine < line || (itsLine === line && itsColumn <= column)) from = middle;
      else to = middle;
    }
    const [, , source = 0, sourceLine = 0] = this.piece(from);
    return `${this.sources[source]}:${sourceLine}`;
  }

  private piece(index: number): Uint32Array {
    return this.pieces.subarray(index * NUMBERS, (index + 1) * NUMBERS);
  }
}
