import type { CompiledForm } from '../domain/compiled-form';
import type { FormFacts } from '../infrastructure/forms.repository';

/** By what the values of rows are indexed: an open form, or a configuration in a row of its owner under the id of that row. */
export interface IndexedForm {
  readonly form_id: string;
  readonly compiled: CompiledForm;
}

/** A form of a workspace, compiled, with what is still on its way to the stored rows. */
export interface OpenForm extends FormFacts {
  readonly compiled: CompiledForm;
  /** Keys that lists cannot be filtered or sorted by yet: their index rows are being made. */
  readonly unready: ReadonlySet<string>;
  /** The form that rows still have which are to take this one, a copy of it. */
  readonly copiedFrom: string | null;
}
