import { Injectable } from '@nestjs/common';
import type { KnowledgeBase } from '../domain/knowledge-base';

/** What one area keeps in bases: each area above registers at start, because bases know none of them. */
export interface BaseContent {
  readonly kind: string;
  /** Has a stretch of what the base holds found in it, cut as the base says now; where the next stretch begins, or null. Within a unit of work. */
  indexStretch?(base: KnowledgeBase, after: string | null): Promise<string | null>;
  /** Removes a stretch of what the base holds for good; whether there may be more. Within a unit of work. */
  purgeStretch?(ds_id: string): Promise<boolean>;
  /** Removes a stretch of what was deleted from bases before a moment; whether there may be more. Within a unit of work. */
  purgeDeletedBefore?(before: Date): Promise<boolean>;
}

/** Everything that bases of this installation hold. */
@Injectable()
export class BaseContents {
  private readonly contents: BaseContent[] = [];

  register(content: BaseContent): void {
    this.contents.push(content);
  }

  listContents(): readonly BaseContent[] {
    return this.contents;
  }
}
