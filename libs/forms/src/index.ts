export {
  FormHolders,
  type AdoptedForm,
  type FormChange,
  type FormHolder,
  type HeldRow,
  type ReturnedRow,
  type SeenRows,
} from './application/form-holders';
export { FormMigrations, type MigrationRun } from './application/form-migrations';
export { type CheckedPart, type ContentPart, type PartsOptions, type StoredPart } from './application/content-parts';
export { CellNames } from './application/cell-names';
export {
  FormReferences,
  type NameQuestion,
  type ReferenceAsker,
  type ReferenceQuestion,
  type ReferenceScope,
  type ReferenceSource,
} from './application/form-references';
export { assertWritable, FormRows, type FormWish } from './application/form-rows';
export { FormValues, type IndexedRow } from './application/form-values';
export { MOST_CONTENT_BYTES } from './domain/content-size';
export { Forms, type ValidatedContent, type Validation, type ValidationOptions } from './application/forms';
export { type IndexedForm, type OpenForm } from './application/open-form';
export { SeenUses } from './application/seen-uses';
export { mappedValues } from './domain/staged-texts';
export { AllOrNothingImports, type WholeBatch, type WholeImport } from './application/all-or-nothing-imports';
export { RowsByName, type NamedRow } from './domain/called-rows';
export { type CellConventions } from './domain/cell-locale';
export { type CellMapping, type Cells, type ReadCells } from './domain/cells';
export { MOST_LISTED_FAULTS, RefusedRows } from './domain/refused-rows';
export { assertTaken, readMapping, strangeCells, wholeMapping } from './domain/column-mapping';
export { type CompiledForm } from './domain/compiled-form';
export { Expression, type ExpressionFault, type ExpressionValues } from './domain/expression';
export { assertFollowed, type StoredContent } from './domain/change-refusals';
export { ownValue, settingFlag, settingNumber, settingText, settingTexts, type Field } from './domain/field';
export { type CellReading, type Complain, type FieldType, type IndexKey, type ReferenceKind } from './domain/field';
export { FORM_KINDS, type FormKind } from './domain/form-kinds';
export { listCell, listedIn, MOST_LISTED } from './domain/listed-cell';
export { pointReader, type MomentReading } from './domain/types/moments';
export { type NamedReference, NamedReferences } from './domain/named-references';
export { Form, FormMigrationView, isRetrieved, PLATFORM_ID, ROW_KINDS, type RowKind } from './domain/form';
export { isTaken } from './domain/faults';
export { type BlockedChange, type FieldChange, type FormDiff } from './domain/form-diff';
export { applyMoves, type Move } from './domain/moves';
export { type Conversion } from './domain/conversion';
export { type RetiredFields } from './domain/retired-fields';
export { Place } from './domain/field';
export { redirectedValues } from './domain/redirected';
export {
  isOpen,
  MASK,
  shortenedSentence,
  VisibleFields,
  type ContentIssue,
  type ProjectionOptions,
  type ShownContent,
  type Sight,
} from './domain/visible-fields';
export { withoutHtml } from './domain/rich-text';
export { hasStored, valuesOf } from './domain/stored-values';
export { type DoubledValue, type Sameness } from './domain/value-index';
export { checkedSize, sizeSchema } from './domain/types/choices';
export { referencesType, referenceType } from './domain/types/references';
export { checkedText, unstorableIn } from './domain/types/texts';
export { type ContentWords } from './domain/words';
export {
  contentConditions,
  referrersOf,
  refersTo,
  withoutForm,
  type AskedForm,
  type ContentConditions,
  type ContentFilter,
  type ContentTarget,
} from './infrastructure/content-conditions';
export { HeldTable, type HeldColumns, type HeldContent } from './infrastructure/held-table';
export { type FormRow, type PlantedForm, type VersionedFormRow } from './infrastructure/forms.repository';
export { type Pointer, type PointingField, type Referrer } from './infrastructure/form-values.rows';
export { WorkspaceConventions } from './infrastructure/workspace-habits';
export { FormsModule, FormsWorkerModule } from './forms.module';
