import type { Client } from '@atrium/platform/testing';

/** Ids of a path parameter that no list answers, by the path up to it: `/agents/{id}/runs/{run_id}`. */
export type ByHand = Readonly<Record<string, (filled: string) => readonly string[] | Promise<readonly string[]>>>;

/** What a path parameter is tried with besides the ids that matter. */
const OTHERS = 2;
const PATHS = 4;

/**
 * Fills the parameters of paths with ids that are there: those of the list in front of a parameter, as somebody who reads
 * everything sees it. A resource that is added brings its ids along by its list.
 */
export class Harvest {
  private readonly lists = new Map<string, Promise<readonly string[]>>();

  constructor(
    private readonly reader: Client,
    private readonly byHand: ByHand,
    /** Ids that are tried before all others. */
    private readonly first: ReadonlySet<string>,
  ) {}

  /** The path with its parameters filled, in the ways that are worth trying; none where nothing of its kind is there. */
  async pathsOf(path: string): Promise<readonly string[]> {
    let filled: readonly string[] = [''];
    let template = '';
    for (const segment of path.split('/').slice(1)) {
      template += `/${segment}`;
      if (!segment.startsWith('{')) {
        filled = filled.map((one) => `${one}/${segment}`);
        continue;
      }
      const next: string[] = [];
      for (const one of filled) for (const id of await this.idsOf(template, one)) next.push(`${one}/${encodeURIComponent(id)}`);
      filled = this.chosen(next, PATHS);
    }
    return filled;
  }

  private async idsOf(template: string, filled: string): Promise<readonly string[]> {
    const given = (await this.byHand[template]?.(filled)) ?? [];
    const own = template.slice(template.lastIndexOf('/') + 1);
    const listed = own === '{id}' || own.endsWith('_id}') ? await this.listed(filled) : [];
    return this.chosen([...new Set([...given, ...listed])], given.length + OTHERS);
  }

  /** Ids in the list at a path. */
  private listed(path: string): Promise<readonly string[]> {
    const known = this.lists.get(path) ?? this.read(path);
    this.lists.set(path, known);
    return known;
  }

  private async read(path: string): Promise<readonly string[]> {
    const { status, body } = await this.reader.get(`${path}?limit=100`);
    const { data } = body as { readonly data?: unknown };
    return status === 200 && Array.isArray(data) ? data.flatMap((row) => idOf(row as object) ?? []) : [];
  }

  /** Those that matter, and some others. */
  private chosen(values: readonly string[], others: number): readonly string[] {
    const matters = (value: string): boolean => this.first.has(value.slice(value.lastIndexOf('/') + 1));
    return [...values.filter(matters), ...values.filter((value) => !matters(value)).slice(0, others)];
  }
}

/** Rows begin with their own id. */
const idOf = (row: object): string | undefined => {
  const own = Object.entries(row).find(([name, value]) => (name === 'id' || name.endsWith('_id')) && typeof value === 'string');
  return own?.[1] as string | undefined;
};
