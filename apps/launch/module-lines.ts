import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Beginning {
  readonly line: number;
  readonly path: string;
}

/** Lets the stacks of errors name modules and their lines, not those of the bundle; their positions are read with the first stack. */
export function nameModules(bundle: string): void {
  let beginnings: readonly Beginning[] | undefined;
  const named = (frame: NodeJS.CallSite & { toString(): string }): string => {
    const [text, line] = [frame.toString(), frame.getLineNumber()];
    if (frame.getFileName() !== bundle || line === null) return text;
    beginnings ??= beginningsIn(bundle);
    const module = beginnings.findLast((one) => one.line <= line);
    return module ? text.replace(`${bundle}:${line}`, `${join(dirname(bundle), module.path)}:${line - module.line + 1}`) : text;
  };
  Error.prepareStackTrace = (error, frames) => [Error.prototype.toString.call(error), ...frames.map(named)].join('\n    at ');
}

/** At which line of the bundle each module begins, as the build has written it. */
const beginningsIn = (bundle: string): readonly Beginning[] =>
  readFileSync(`${bundle}.lines`, 'utf8')
    .split('\n')
    .map((text) => ({ line: Number(text.slice(0, text.indexOf(' '))), path: text.slice(text.indexOf(' ') + 1) }));
