import type { RunningApi } from '@atrium/platform/testing';
import { Client } from 'pg';

type Query = typeof Client.prototype.query;

/** Asked while nothing is heard of the database: on a slow machine, or before it answers. */
const PULSE = /^SELECT 1$/;
/** The second statement of an opening message: it names the workspace, with a gate or without. */
const NAMING = /^(?:SELECT set_config\('app\.tenant_id'|SET LOCAL app\.tenant_id=)/;

type Asked = string | { readonly text?: string } | { readonly statements: readonly { readonly text: string }[] };

/** The statements of one call of the driver; those that open a transaction are one message, whose parts stand with semicolons between. */
function textsOf(asked: unknown): string[] {
  const query = asked as Asked;
  if (typeof query === 'string') return [query];
  if (!('statements' in query)) return [query.text ?? ''];
  const texts: string[] = [];
  for (const { text } of query.statements) {
    const before = texts.at(-1);
    if (before?.startsWith('START TRANSACTION') && NAMING.test(text)) texts.splice(-1, 1, `${before};${text}`);
    else texts.push(text);
  }
  return texts;
}

/** Listens to every message that this process sends to the database of an API, until it is closed; what the access log, the rate limits and the pulse of the database send by the clock does not count. */
export class MessageCounter {
  readonly texts: string[] = [];
  private readonly original: Query = Client.prototype.query;

  constructor({ database }: RunningApi) {
    const { original, texts } = this;
    const [opened, byTheClock] = [new WeakSet<Client>(), new WeakSet<Client>()];
    Client.prototype.query = function counted(this: Client, ...args: unknown[]): unknown {
      if (this.database !== database.name || PULSE.test(String(args[0]))) return Reflect.apply(original, this, args) as unknown;
      for (const text of textsOf(args[0])) {
        if (/^(?:START TRANSACTION|BEGIN)/.test(text)) opened.add(this);
        if (/access_log_(write|line)|rate_share\(|requests_struck\(/.test(text)) {
          // A statement alone opens and ends nothing.
          if (!opened.has(this) || byTheClock.has(this)) continue;
          const opening = texts.findLastIndex((before) => before.startsWith('START TRANSACTION'));
          if (opening >= 0) texts.splice(opening, 1);
          byTheClock.add(this);
        } else if (!byTheClock.has(this)) texts.push(text);
        if (/^(?:COMMIT|ROLLBACK)/.test(text)) for (const known of [byTheClock, opened]) known.delete(this);
      }
      return Reflect.apply(original, this, args) as unknown;
    } as Query;
  }

  reset(): void {
    this.texts.length = 0;
  }

  naming(word: string): number {
    return this.texts.filter((text) => text.includes(word)).length;
  }

  /** Waits until nothing goes out any more: notes of last use and wake-up calls leave after the answer. */
  async quiet(): Promise<void> {
    for (let before = -1; before !== this.texts.length;) {
      before = this.texts.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  close(): void {
    Client.prototype.query = this.original;
  }
}
