import { Injectable } from '@nestjs/common';
import type { FilesToMerge } from '@atrium/files';
import type { JsonObject } from '@atrium/platform/kernel';

/** What can go over from duplicates to the files that are kept. */
export const CARRIED = ['albums', 'tags', 'favorites', 'people', 'metadata', 'summary'] as const;

export type Carried = (typeof CARRIED)[number];

/**
 * Port of code that keeps something about files that must not be lost with a duplicate: one carrier for each. Both methods
 * run within the unit of work that resolves or undoes, so they do nothing but talk to it.
 */
export interface DuplicateCarrier {
  readonly carries: Carried;
  /** Brings what the others have to every keeper. Answers how much that was, and what `undoCarry` needs to undo exactly this. */
  carryOver(files: FilesToMerge): Promise<{ readonly moved: number; readonly record: JsonObject }>;
  /** Undoes what `carryOver` did; what people changed since stays as they left it. */
  undoCarry(record: JsonObject): Promise<void>;
}

/** Everything that goes over to the keepers, each by the area that owns it. */
@Injectable()
export class DuplicateCarriers {
  private readonly carriers = new Map<Carried, DuplicateCarrier>();

  register(carrier: DuplicateCarrier): void {
    if (this.carriers.has(carrier.carries)) throw new Error(`Two areas want to carry the ${carrier.carries} of duplicates.`);
    this.carriers.set(carrier.carries, carrier);
  }

  /** Carries what is wanted; how much of each moved, and the records to undo it by. */
  async carryOver(
    wanted: readonly Carried[],
    files: FilesToMerge,
  ): Promise<{ moved: Record<string, number>; records: Record<string, JsonObject> }> {
    const moved: Record<string, number> = {};
    const records: Record<string, JsonObject> = {};
    for (const name of CARRIED.filter((known) => wanted.includes(known))) {
      const done = await this.carriers.get(name)?.carryOver(files);
      if (!done || done.moved === 0) continue;
      moved[name] = done.moved;
      records[name] = done.record;
    }
    return { moved, records };
  }

  /** The reverse, in the opposite order. */
  async undoCarry(records: Readonly<Record<string, JsonObject>>): Promise<void> {
    for (const name of [...CARRIED].reverse()) if (records[name]) await this.carriers.get(name)?.undoCarry(records[name]);
  }
}
