import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Ids, invalidField } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { DescribedFiles, LibraryFiles } from '@atrium/files';
import { ModelUsage, VisionModel } from '@atrium/models';
import { buffer } from 'node:stream/consumers';
import type { AnalysisField } from '../domain/analysis-field';
import { noModel } from '../domain/analysis-schema';
import { readSuggestion, SUGGESTION_SCHEMA, suggestionQuestion } from '../domain/schema-suggestion';
import { IMAGE_PARAM } from './analysis-model';

/** Fields that a model proposes, and what asking cost. */
export interface Suggestion {
  readonly mas_fields: readonly AnalysisField[];
  readonly model: string;
  readonly credits: number;
}

/** Proposes fields of a schema from a description and some files; keeps nothing. */
@Injectable()
export class SchemaSuggestions {
  constructor(
    private readonly db: Database,
    private readonly library: LibraryFiles,
    private readonly files: DescribedFiles,
    private readonly store: ObjectStore,
    private readonly vision: VisionModel,
    private readonly usage: ModelUsage,
    private readonly ids: Ids,
  ) {}

  async suggestSchema(
    caller: Principal,
    { description, sample_file_ids = [] }: { readonly description: string; readonly sample_file_ids?: readonly string[] },
  ): Promise<Suggestion> {
    const model = await this.vision.findModelId();
    if (model === null) throw noModel();
    const images = await this.pictures(caller, sample_file_ids);
    const call = `suggest:${this.ids.next()}`;
    const work = { param: IMAGE_PARAM, units: Math.max(1, images.length), model, user: caller.user_id } as const;
    const credits = await this.usage.estimateCredits(work);
    const { hold_id } = await this.usage.reserveCredits(work, call);
    try {
      const charge = (): Promise<void> => this.db.write(async () => this.usage.chargeCall({ ...work, call, ref: {}, hold: hold_id }));
      const answer = await this.vision.describeImages({
        images,
        prompt: suggestionQuestion(description),
        schema: SUGGESTION_SCHEMA,
        tries: 2,
        onCutOff: charge,
      });
      await charge();
      return { mas_fields: readSuggestion(answer.fields), model: answer.model, credits };
    } finally {
      await this.usage.releaseHold(hold_id);
    }
  }

  private async pictures(caller: Principal, ids: readonly string[]): Promise<{ bytes: Buffer; type: string }[]> {
    const described = await this.db.read(async () => {
      const there = await this.library.findVisible(caller, 'media', ids);
      const absent = ids.findIndex((id) => !there.some(({ file_id }) => file_id === id.toLowerCase()));
      if (absent >= 0) throw invalidField(`sample_file_ids[${absent}]`, 'must be a file of the media library', 'reference');
      return this.files.describeFiles(ids, 'media');
    });
    const pictures = [...described.values()].flatMap(({ picture }) => (picture ? [picture] : []));
    return Promise.all(pictures.map(async ({ key, type }) => ({ bytes: await buffer(await this.store.get(key)), type })));
  }
}
