import { Injectable } from '@nestjs/common';

/** From whom to whom content goes; both are members of the running workspace. */
export interface ContentMove {
  readonly from: string;
  readonly to: string;
}

/** A stretch of a context's rows: at most `size` of them, after the position that the stretch before answered. */
export interface ContentBatch {
  readonly after: string | null;
  readonly size: number;
}

export interface ContentMoved {
  readonly moved: number;
  /** Where the next stretch begins; null when there is none. */
  readonly next: string | null;
}

/** Port for contexts whose rows belong to people: each registers at start under its own name. */
export interface ContentOwner {
  readonly context: string;
  /** Re-owns what belongs to `from` in one stretch, in a unit of work of its own. Doing it again changes nothing more. */
  transferContent(move: ContentMove, batch: ContentBatch): Promise<ContentMoved>;
}

/** Every context of this installation that keeps content of people, in the order they registered. */
@Injectable()
export class ContentOwners {
  private readonly owners: ContentOwner[] = [];

  register(owner: ContentOwner): void {
    if (this.owners.some(({ context }) => context === owner.context))
      throw new Error(`Two owners of content are registered as ${owner.context}.`);
    this.owners.push(owner);
  }

  listOwners(): readonly ContentOwner[] {
    return this.owners;
  }
}
