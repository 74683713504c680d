import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { DescribedFiles, ReadableFiles, type DescribedFile } from '@atrium/files';
import { LOCAL_MODEL, LOCAL_PROVIDER, ModelUsage, TextModels, VisionModel, type TokenUsage } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Problem, unknownReference } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { TASK_FACTS } from '../domain/assist-task';
import { describedByFacts, MOST_ALT } from '../domain/image-words';
import { shortenedPhrase } from './key-phrases';
import { AssistModel, inTime } from './assist-model';
import { ALT_ORDER, ALT_SCHEMA } from './assist-orders';
import type { AssistInputs, AssistResults, Assisted } from './assist-tasks';

type Picture = NonNullable<DescribedFile['picture']>;
/** Describes images by what is known of them. */
export const BUILT_IN = `${LOCAL_PROVIDER}/${LOCAL_MODEL}`;
const LIBRARIES = ['media', 'docs'] as const;
const PARAM = 'ai.assist_tokens';
/** Most tokens of one picture with its question and answer, for the reservation. */
const MOST_TOKENS = 4_000;

/** Descriptions of images: by a model that sees, else by what is known of the file. */
@Injectable()
export class AltTexts {
  constructor(
    private readonly db: Database,
    private readonly readable: ReadableFiles,
    private readonly described: DescribedFiles,
    private readonly models: TextModels,
    private readonly vision: VisionModel,
    private readonly usage: ModelUsage,
    private readonly model: AssistModel,
    private readonly store: ObjectStore,
  ) {}

  async describeImage(caller: Principal, { file_id, model_id }: AssistInputs['alt-text']): Promise<Assisted<AssistResults['alt-text']>> {
    const seeing = await this.seeing(model_id);
    const file = await this.imageOf(caller, file_id.toLowerCase());
    if (seeing !== null && file.picture) return this.seen(caller, file.picture, seeing);
    const text = describedByFacts(file);
    if (text === null)
      throw new Problem(
        'unprocessable_content',
        'The metadata, tags and name of the image do not describe it. Use a model that can see images; your operator can configure one with MODEL_VISION.',
      );
    const result = { text, decorative: false, derived_from: 'metadata' as const };
    const by = seeing === null && model_id !== undefined ? model_id : BUILT_IN;
    const usage = await this.model.chargeBuiltIn(this.model.openSitting(caller, by), { read: text, written: text });
    return { results: [result], model_id: by, usage, limits: TASK_FACTS['alt-text'].built_in };
  }

  /** The model that sees; null where the built-in model is named, or there is no other. */
  private async seeing(model_id: string | undefined): Promise<string | null> {
    if (model_id === undefined) return this.vision.findModelId();
    const { isBuiltIn } = await this.models.resolveModel(model_id);
    return isBuiltIn ? null : this.vision.requireModelId(model_id);
  }

  private async seen(caller: Principal, picture: Picture, model_id: string): Promise<Assisted<AssistResults['alt-text']>> {
    const sitting = this.model.openSitting(caller, model_id);
    const { id, signal } = sitting;
    const line = { param: PARAM, model: model_id, user: caller.user_id } as const;
    const { hold_id } = await this.usage.reserveCredits({ ...line, units: MOST_TOKENS }, `assist:${id}`);
    const charge = async ({ input_tokens, output_tokens }: TokenUsage): Promise<void> => {
      const units = input_tokens + output_tokens;
      if (units === 0) return;
      await this.db.write(async () =>
        this.usage.chargeCall({ ...line, units, call: `assist:${id}:1`, ref: { assist_id: id }, hold: hold_id }),
      );
    };
    try {
      const image = { bytes: await buffer(await this.store.get(picture.key)), type: picture.type };
      const {
        fields,
        usage: { images: _, ...usage },
      } = await inTime(sitting, () =>
        this.vision.describeImages({
          images: [image],
          prompt: ALT_ORDER,
          schema: ALT_SCHEMA,
          model_id,
          signal,
          tries: 2,
          onCutOff: (read) => charge(read.usage),
        }),
      );
      await charge(usage);
      const said = typeof fields?.alt === 'string' ? fields.alt.trim() : '';
      const decorative = fields?.decorative === true;
      if (said === '' && !decorative) throw new Problem('unprocessable_content', 'The model did not return a description of the image.');
      return {
        results: [{ text: shortenedPhrase(said, MOST_ALT), decorative, derived_from: 'image' }],
        model_id,
        usage,
        limits: null,
      };
    } finally {
      await this.usage.releaseHold(hold_id);
    }
  }

  private async imageOf(caller: Principal, file_id: string): Promise<DescribedFile> {
    for (const type of LIBRARIES) {
      const readable = await this.db.read(() => this.readable.findReadable(caller, [file_id], [type]));
      const file = readable.has(file_id) ? (await this.described.describeFiles([file_id], type)).get(file_id) : undefined;
      if (file && file.file_kind !== 'image')
        throw new Problem('unprocessable_content', 'The file is not an image. Choose an image of the media or document library.');
      if (file) return file;
    }
    throw unknownReference('file_id', 'image');
  }
}
