import { RE2JS } from 're2js';

/**
 * Which pages of a site are wanted, by globs over path and query: `*` is any text without a slash, `**` any text. Matching takes time
 * that grows with the text alone.
 */
export class PathGlobs {
  private readonly include: readonly RE2JS[];
  private readonly exclude: readonly RE2JS[];

  constructor(include: readonly string[], exclude: readonly string[]) {
    this.include = include.map(compiled);
    this.exclude = exclude.map(compiled);
  }

  /** Without a glob in `include` every page is wanted; one in `exclude` takes precedence. */
  wants(address: string): boolean {
    const { pathname, search } = new URL(address);
    const text = pathname + search;
    if (this.exclude.some((glob) => glob.matches(text))) return false;
    return this.include.length === 0 || this.include.some((glob) => glob.matches(text));
  }
}

const compiled = (glob: string): RE2JS =>
  // eslint-disable-next-line no-restricted-syntax -- a glob becomes an instruction or two for each of its characters
  RE2JS.compile(
    glob
      .split(/(\*+)/)
      .map((part) => (part.startsWith('**') ? '.*' : part === '*' ? '[^/]*' : RE2JS.quote(part)))
      .join(''),
    RE2JS.DOTALL,
  );
