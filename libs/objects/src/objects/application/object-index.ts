import { Injectable } from '@nestjs/common';
import { isRetrieved, type OpenForm } from '@atrium/forms';
import { PassageIndex } from '@atrium/retrieval';
import { ObjectStates, type StatedObject } from './object-states';

/** The source of passages that objects are. */
export const OBJECT_SOURCE = 'object';
export const SCOPE_PREFIX = 'object';
export const scopeOf = (form_id: string): string => `${SCOPE_PREFIX}:${form_id}`;

/** An object as far as its passages follow from it. */
export interface IndexedObject extends StatedObject {
  readonly obj_active: boolean;
  readonly obj_text: string;
}

/**
 * Keeps the passages of objects in step with them, in the unit of work of each change: searches find objects of schemas that ask
 * for it, while they are not deleted and their state may be found.
 */
@Injectable()
export class ObjectIndex {
  constructor(
    private readonly passages: PassageIndex,
    private readonly states: ObjectStates,
  ) {}

  /** Objects of one form as they are now. */
  async indexObjects(form: Pick<OpenForm, 'form_id' | 'form_metadata'>, objects: readonly IndexedObject[]): Promise<void> {
    if (objects.length === 0) return;
    const states = isRetrieved(form) ? await this.states.describeStates(objects) : new Map<string, never>();
    const open = objects.filter(({ obj_id, obj_active }) => isRetrieved(form) && obj_active && states.get(obj_id)?.retrievable !== false);
    await this.passages.putAll(
      OBJECT_SOURCE,
      open.map(({ obj_id, obj_text }) => ({ id: obj_id, version: obj_text })),
      [scopeOf(form.form_id)],
    );
    const found = new Set(open.map(({ obj_id }) => obj_id));
    await this.hideObjects(objects.map(({ obj_id }) => obj_id).filter((id) => !found.has(id)));
  }

  /** They are out of reach at commit; what was made of them is kept for a day. */
  hideObjects(obj_ids: readonly string[]): Promise<void> {
    return this.passages.removeAll(OBJECT_SOURCE, obj_ids);
  }

  /** Nothing of them stays. */
  forgetObjects(obj_ids: readonly string[]): Promise<void> {
    return this.passages.removeAll(OBJECT_SOURCE, obj_ids, { forGood: true });
  }
}
