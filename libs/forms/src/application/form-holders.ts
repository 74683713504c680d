import { Injectable } from '@nestjs/common';
import type { Module, Permission, Principal } from '@atrium/platform/access';
import type { Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { ROW_KINDS, type Form, type RowKind } from '../domain/form';
import type { DoubledValue, Sameness } from '../domain/value-index';
import type { ContentIssue, Sight } from '../domain/visible-fields';

/** A row as the context that keeps it hands it out. */
export interface HeldRow {
  readonly id: string;
  readonly content: JsonObject;
  /** References that are no field and stand in the index beside the content, such as `$terms`. */
  readonly beside?: Readonly<Record<string, readonly string[]>>;
  /** False where its unique values are free for others: it is deleted, and may be restored. */
  readonly claims?: boolean;
  /** What its unique values are unique in, where it is less than all rows of the form: a base. */
  readonly within?: string | null;
  /** The row has another form by now, and this is what is kept for its return: it follows the moves, and is in no index. */
  readonly aside?: boolean;
}

/** A row as it is taken back: its content as it is to be stored, and what of it does not fit. */
export interface ReturnedRow {
  readonly id: string;
  readonly content: JsonObject;
  readonly issues: readonly ContentIssue[];
  /** Whether the content differs from what was handed out. */
  readonly changed: boolean;
  /** As it was handed out. */
  readonly aside: boolean;
}

/** A form whose rows behind one id, in the order of their ids and within one base, get another form. */
export interface AdoptedForm {
  readonly from: string;
  readonly to: string;
  readonly within: string;
}

/** What a change of a form was. */
export type FormChange = 'created' | 'updated' | 'deactivated' | 'revived';

/** What a caller sees of the rows of a kind. */
export interface SeenRows {
  readonly sight: Sight;
  /** Condition on `v`, a value of the index: the caller may read the row that has it (`owner_id`). */
  readonly readable: Sql;
}

/**
 * Port of the context that keeps the rows of a kind of forms. All methods run within the unit of work of the caller, and
 * cover rows that are deleted and may be restored: their content moves with the others.
 */
export interface FormHolder {
  /** What lets somebody read the forms of the kind. */
  readonly view: Permission;
  /** The module without which nobody reads them. */
  readonly module?: Module;
  /** The collection of the API that the forms are in, such as `object-schemas`. */
  readonly collection: string;
  /** How many rows have the form, whatever is under the path; with a path, those with a value there, also where it is kept aside. */
  countRows(form_id: string, path?: readonly string[]): Promise<number>;
  /** How many rows of other forms have content of the form kept aside; without it none have. */
  countAside?(form_id: string): Promise<number>;
  /** Values that stand more than once under the path, at most so many; `isOpen`: whether everybody may read a row that has it. */
  findDuplicates(form_id: string, path: readonly string[], most: number, sameness?: Sameness): Promise<readonly DoubledValue[]>;
  /** Rows of the form behind one id, in the order of their ids, locked for change. */
  handOut(form_id: string, after: string | null, limit: number): Promise<readonly HeldRow[]>;
  /** Those among the ids that are rows of the form, in the order of their ids, locked for change; what is kept aside is not among them. */
  lockRows(form_id: string, ids: readonly string[]): Promise<readonly HeldRow[]>;
  /** Stores rows that were handed out; `reworded` says that titles, words and passages are to be made of all of them again. */
  storeRows(form: Form, rows: readonly ReturnedRow[], told: { readonly reworded: boolean }): Promise<void>;
  /** Gives at most so many rows of a form another one, and answers their ids in order; without it no row gets a copy of its form. */
  adoptForm?(pair: AdoptedForm, after: string | null, limit: number): Promise<readonly string[]>;
  /** Those among the ids that are rows of the kind and not deleted: what they refer to is referred to. Without it all are. */
  findLiveRows?(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Those among the ids that the caller may read; without it none are, so that nothing names them. */
  findReadableRows?(caller: Principal, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** What the caller sees of the rows; without it nothing, so that nothing is counted for them. */
  seenRows?(caller: Principal): SeenRows;
  /** Called with every change of a form of the kind, within its unit of work: for audit and events. */
  formChanged?(change: FormChange, form: Form, before: JsonObject | null): void | Promise<void>;
}

/** The holders of rows of forms, by kind. Until a context has registered, no row of a kind is stored anywhere. */
@Injectable()
export class FormHolders {
  private readonly holders = new Map<RowKind, FormHolder>();

  register(kind: RowKind, holder: FormHolder): void {
    if (this.holders.has(kind)) throw new Error(`Two contexts keep rows of the kind ${kind}.`);
    this.holders.set(kind, holder);
  }

  findHolder(kind: RowKind): FormHolder | undefined {
    return this.holders.get(kind);
  }

  /** The kinds whose forms the reader may read; nobody (null) reads those that every member may be given. */
  openTo(reader: Principal | null): readonly RowKind[] {
    return ROW_KINDS.filter((kind) => {
      const view = this.holders.get(kind)?.view;
      return view !== undefined && (reader === null || reader.permissions.has(view));
    });
  }
}
