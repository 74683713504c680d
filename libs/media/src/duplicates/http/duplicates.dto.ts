import { Decimal, Flag, IdList, Nested, NestedList, Ref, Stamp, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { invalidField } from '@atrium/platform/kernel';
import { CARRIED, type Carried } from '../application/duplicate-carriers';
import { DuplicateGroup, type DuplicateState } from '../domain/duplicate-group';

@Answer()
export class WhyBetterView {
  @Flag({ about: 'Has the most pixels.' }) pixels!: boolean;
  @Flag({ about: 'Has the most bytes.' }) size!: boolean;
  @Flag({ about: 'Has the most metadata.' }) metadata!: boolean;
}

@Answer()
export class DuplicateFileView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Text({ about: 'Name of the file.', example: 'harbour.jpg' }) file_name!: string;
  @Text({ about: 'MIME type of the file.', example: 'image/jpeg' }) file_type!: string;
  @Whole({ about: 'Size of the file in bytes.', example: 2_481_152 }) file_size!: number;
  @Stamp({ about: 'When it was added.' }) file_created!: Date;
  @Text({ optional: true, max: 64, about: 'SHA-256 hash of the content.' }) file_hash!: string | null;
  @Whole({ optional: true, about: 'Width in pixels.', example: 4032 }) width!: number | null;
  @Whole({ optional: true, about: 'Height in pixels.', example: 3024 }) height!: number | null;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed URL of the small rendition, valid for 15 minutes.' })
  file_thumb_url!: string | null;
  @Decimal({ min: 0, max: 1, about: 'Similarity to the suggested file; 1 means that no difference was found.', example: 0.9844 })
  similarity!: number;
  @Nested(() => WhyBetterView, { about: 'Advantages over the other files.' }) why_better!: WhyBetterView;
}

@Answer()
export class DuplicateGroupView extends View(DuplicateGroup) {
  @NestedList(() => DuplicateFileView, { about: 'Files of the group, best first, without those in the trash.' })
  dup_files!: DuplicateFileView[];
  @Ref({ optional: true, about: 'Suggested file to keep: most pixels, then bytes, then metadata, then the oldest.' }) dup_suggested_keep!:
    string | null;
}

export class DuplicateGroupPage extends PageOf(DuplicateGroupView) {}

@Answer()
export class ResolvedGroupView extends DuplicateGroupView {
  @Stamp({ about: 'When the resolution can no longer be undone.' }) undo_until!: Date;
}

/** Query of GET /media-files/duplicates. */
export class ListDuplicates extends ListQuery(DuplicateGroup) {
  dup_state?: DuplicateState;
}

/** Body of POST /media-files/duplicates/{dup_id}/resolve. */
@Accepts()
export class ResolveDuplicates {
  @IdList({ min: 1, max: 200, about: 'Files to keep.' }) keep!: string[];
  @TextList({
    optional: true,
    max: CARRIED.length,
    about: `Data copied from the other files to each kept file: ${CARRIED.join(', ')}. Default: all.`,
    example: ['albums', 'tags'],
  })
  carry?: string[] | null;
}

/** Reads the names of what is to be carried. */
export function carriedOf(carry: readonly string[] | null | undefined): readonly Carried[] | undefined {
  return carry?.map((name, at) => CARRIED.find((known) => known === name) ?? refuse(at));
}

function refuse(at: number): never {
  throw invalidField(`carry[${at}]`, `must be one of ${CARRIED.join(', ')}`, 'choice');
}
