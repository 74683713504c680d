import { Injectable } from '@nestjs/common';
import type { EnteredState } from '../domain/object-change';
import type { WorkspaceObject } from '../domain/workspace-object';

/** A state as objects show it and obey it. */
export interface ObjectState {
  readonly key: string;
  readonly name: string;
  readonly color: string | null;
  /** Content may not change in it. */
  readonly locked: boolean;
  /** Searches of agents may find objects in it. */
  readonly retrievable: boolean;
}

/** An object as far as its state follows from it. */
export type StatedObject = Pick<WorkspaceObject, 'obj_id' | 'obj_flow' | 'obj_status'>;

/** An object that enters a state without a transition: created, or under another schema. */
export interface Entry extends EnteredState {
  readonly obj_id: string;
  readonly from: string | null;
}

/** Port of lifecycle flows. Everything happens within the unit of work at hand; in one that writes, the flow is kept from changing. */
export interface StateSource {
  /** Where a new object of the form begins; null: no flow is active for it. */
  findEntryState(form_id: string): Promise<EnteredState | null>;
  /** The states of objects by their ids; objects without one are left out. One statement for all of them. */
  describeStates(objects: readonly StatedObject[]): Promise<ReadonlyMap<string, ObjectState>>;
  /** Where an object goes that gets another form: the state of the same key where the new flow has it, else the initial one; null: no flow. */
  findStateAfterFormChange(object: StatedObject, form_id: string): Promise<EnteredState | null>;
  /** Called after objects that entered a state without a transition were written: for their history. */
  recordEntries(entries: readonly Entry[], by: string | null): Promise<void>;
}

/** States of objects. Until flows have registered, objects have none. */
@Injectable()
export class ObjectStates {
  private source: StateSource | null = null;

  register(source: StateSource): void {
    if (this.source) throw new Error('The states of objects are registered once.');
    this.source = source;
  }

  async findEntryState(form_id: string): Promise<EnteredState | null> {
    return (await this.source?.findEntryState(form_id)) ?? null;
  }

  async describeStates(objects: readonly StatedObject[]): Promise<ReadonlyMap<string, ObjectState>> {
    const stated = objects.filter(({ obj_status }) => obj_status !== null);
    return stated.length === 0 ? new Map() : ((await this.source?.describeStates(stated)) ?? new Map<string, ObjectState>());
  }

  async findStateAfterFormChange(object: StatedObject, form_id: string): Promise<EnteredState | null> {
    return (await this.source?.findStateAfterFormChange(object, form_id)) ?? null;
  }

  async recordEntries(entries: readonly Entry[], by: string | null): Promise<void> {
    if (entries.length > 0) await this.source?.recordEntries(entries, by);
  }
}
