import { Injectable } from '@nestjs/common';
import { invalidField } from '@atrium/platform/kernel';
import type { TextModel } from '../domain/text-model';
import { LanguageModels } from '../infrastructure/language-models';
import { ModelRegistry } from './model-registry';

/** The models that write text: by name, or the default of the workspace. */
@Injectable()
export class TextModels {
  constructor(
    private readonly registry: ModelRegistry,
    private readonly languages: LanguageModels,
  ) {}

  /** The named model, or `validation_failed` on `model_id` when the workspace has none of that name; without a name the default, or `not_configured`. */
  async resolveModel(model_id?: string | null): Promise<TextModel> {
    const named = model_id ?? undefined;
    const access =
      named === undefined
        ? await this.registry.resolveModel({ model_kind: 'text' })
        : await this.registry.findModel({ model_kind: 'text', model_id: named });
    if (!access) throw invalidField('model_id', 'must be a text model of this workspace: see GET /models', 'reference');
    return {
      model: access.model,
      isBuiltIn: access.protocol === 'local',
      openModel: (options) => this.languages.openModel(access, options),
    };
  }
}
