import { Logger } from '@nestjs/common';
import { currentFrame } from './frame';
import type { UnitOfWork, WorkSize } from './unit-of-work';

/** What a unit of work may take before its place has to say why: it holds a connection, and often locks, all that time. */
const MOST_STATEMENTS = 200;
const LONGEST_MS = 2_000;

/** A unit of work that was longer than its place has said, or held others up for longer. */
export interface LongUnit {
  /** The request, job or schedule it was part of. */
  readonly operation: string;
  /** What it had too much of; `locks`: it took those first that it was to take last. */
  readonly by: 'statements' | 'time' | 'locks';
  readonly statements: number;
  readonly milliseconds: number;
}

/** The work, which says of its unit why that may be long. */
export const sized = <T>(work: (tx: UnitOfWork) => Promise<T>, size: WorkSize | undefined): ((tx: UnitOfWork) => Promise<T>) =>
  size
    ? (tx) => {
        tx.mayBeLong(size);
        return work(tx);
      }
    : work;

/** Looks at each unit of work when it has ended, and reports those that are too long without a reason. */
export class LongUnits {
  private readonly log = new Logger(LongUnits.name);
  private readonly listeners: ((unit: LongUnit) => void)[] = [];

  addListener(listener: (unit: LongUnit) => void): void {
    this.listeners.push(listener);
  }

  checkUnit(unit: UnitOfWork, began: number): void {
    const milliseconds = performance.now() - began;
    const by = excessOf(unit, milliseconds);
    if (!by) return;
    const { statements } = unit;
    const { scope, doing } = currentFrame() ?? {};
    const operation = doing?.().operation ?? 'a schedule';
    this.log.warn({
      msg: MESSAGES[by],
      operation,
      statements,
      ms: Math.round(milliseconds),
      tenant_id: scope?.tenant_id ?? undefined,
      request_id: scope?.request_id,
    });
    for (const listener of this.listeners) listener({ operation, by, statements, milliseconds });
  }
}

function excessOf({ statements, reason, locksFirst }: UnitOfWork, milliseconds: number): LongUnit['by'] | undefined {
  if (locksFirst) return 'locks';
  if (reason !== undefined) return undefined;
  return statements > MOST_STATEMENTS ? 'statements' : milliseconds > LONGEST_MS ? 'time' : undefined;
}

const TOO_LONG = `a unit of work took more than ${MOST_STATEMENTS} statements or ${LONGEST_MS / 1_000} seconds, and its place does not say why`;
const MESSAGES: Readonly<Record<LongUnit['by'], string>> = {
  statements: TOO_LONG,
  time: TOO_LONG,
  locks: 'a long unit of work was begun again twice and then took its locks first: others waited for it',
};
