import { createHash } from 'node:crypto';
import type { Statement } from './flight';

const MAX_NAMES = 400;

/**
 * Names for prepared statements, so that a connection plans a text once. Texts beyond the first few hundred run
 * unnamed: filters combine freely, and every connection keeps each plan it has seen.
 */
export class PreparedStatements {
  private readonly names = new Map<string, string>();

  constructor(readonly enabled: boolean) {}

  named(text: string, values?: readonly unknown[]): Statement {
    return { text, name: this.nameFor(text), ...(values ? { values } : {}) };
  }

  private nameFor(text: string): string | undefined {
    if (!this.enabled) return undefined;
    const known = this.names.get(text);
    if (known) return known;
    if (this.names.size >= MAX_NAMES) return undefined;
    const name = `a${createHash('sha1').update(text).digest('hex').slice(0, 24)}`;
    this.names.set(text, name);
    return name;
  }
}
