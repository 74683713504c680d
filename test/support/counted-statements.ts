import type { RunningApi } from '@atrium/platform/testing';
import { Client } from 'pg';

type Query = typeof Client.prototype.query;
type Asked = { readonly text?: string } | { readonly statements: readonly { readonly text?: string }[] } | string;

/** Every statement that this process sends to the database of an API, what opens and ends transactions among them, while it is counted. */
export class CountedStatements {
  readonly texts: string[] = [];
  private readonly original: Query = Client.prototype.query;

  constructor({ database }: RunningApi) {
    const note = (texts: readonly string[]): void => void this.texts.push(...texts);
    const original = this.original;
    Client.prototype.query = function counted(this: Client, ...args: unknown[]): unknown {
      if (this.database === database.name) note(textsOf(args[0] as Asked));
      return Reflect.apply(original, this, args) as unknown;
    } as Query;
  }

  end(): void {
    Client.prototype.query = this.original;
  }

  /** How many of them begin a transaction. */
  get transactions(): number {
    return this.texts.filter((text) => text.startsWith('START TRANSACTION')).length;
  }

  /** The most frequent of them, for what is said when there are too many. */
  mostOf(texts: readonly string[] = this.texts): string {
    const times = new Map<string, number>();
    for (const text of texts) {
      const start = text
        .replaceAll(/\s+/g, ' ')
        .replace(/'[0-9a-f-]{36}'/, '…')
        .trim()
        .slice(0, 110);
      times.set(start, (times.get(start) ?? 0) + 1);
    }
    return [...times]
      .sort(([, one], [, other]) => other - one)
      .map(([text, many]) => `${many} × ${text}`)
      .join('\n');
  }
}

const textsOf = (asked: Asked): string[] =>
  typeof asked === 'string' ? [asked] : 'statements' in asked ? asked.statements.map(({ text = '' }) => text) : [asked.text ?? ''];
