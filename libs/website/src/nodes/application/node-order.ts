import { Injectable } from '@nestjs/common';
import { Clock, invalidField, ranksAtEnd, ranksBetween } from '@atrium/platform/kernel';
import { NodeOrderRows } from '../infrastructure/node-order.rows';
import type { InSite } from '../infrastructure/nodes.repository';

/** Where a node goes among those with the same parent: before or after one of them, or behind the last. */
export interface Beside {
  readonly before?: string | null;
  readonly after?: string | null;
}

/** The order of nodes with the same parent. Changes hold the lock of the structure. */
@Injectable()
export class NodeOrder {
  constructor(
    private readonly rows: NodeOrderRows,
    private readonly clock: Clock,
  ) {}

  /** Ranks for so many nodes at a place, in their order. */
  async findRanks(place: InSite, { before, after }: Beside, count = 1): Promise<readonly string[]> {
    if (before && after) throw invalidField('after', 'must be omitted if before is given', 'option');
    const beside = before ?? after ?? null;
    if (beside === null) return ranksAtEnd(await this.rows.readLast(place), count, this.clock.now());
    const field = before ? 'before' : 'after';
    const gap = await this.requireGap(place, beside, field);
    const ranks = ranksBetween(gap.low, gap.high, count);
    if (ranks) return ranks;
    await this.spreadRanks(place);
    const wider = await this.requireGap(place, beside, field);
    const found = ranksBetween(wider.low, wider.high, count);
    if (!found) throw new Error('Ranks that are spread evenly have room between them.');
    return found;
  }

  private async requireGap(place: InSite, beside: string, field: 'before' | 'after') {
    const gap = await this.rows.findGap(place, beside, field);
    if (!gap) throw invalidField(field, 'must be an active page with the same parent', 'reference');
    return gap;
  }

  /** Where the gaps have become too fine, all of them are made even. */
  private async spreadRanks(place: InSite): Promise<void> {
    const ids = await this.rows.listOrdered(place);
    await this.rows.writeRanks(
      ids,
      ranksAtEnd(null, ids.length * ROOM, this.clock.now()).filter((_, at) => at % ROOM === 0),
    );
  }
}

/** Places between two neighbours that are spread evenly. */
const ROOM = 16;
