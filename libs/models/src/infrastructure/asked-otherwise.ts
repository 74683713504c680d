import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';

/** A model of a protocol library that is asked in the way its protocol wants. */
export class AdaptedModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider: string;
  readonly modelId: string;

  constructor(
    private readonly model: LanguageModelV3,
    private readonly change: (options: LanguageModelV3CallOptions) => LanguageModelV3CallOptions,
    private readonly ask: <T>(question: () => T) => T = (question) => question(),
  ) {
    this.provider = model.provider;
    this.modelId = model.modelId;
  }

  get supportedUrls(): LanguageModelV3['supportedUrls'] {
    return this.model.supportedUrls;
  }

  doGenerate(options: LanguageModelV3CallOptions): ReturnType<LanguageModelV3['doGenerate']> {
    return this.ask(() => this.model.doGenerate(this.change(options)));
  }

  doStream(options: LanguageModelV3CallOptions): ReturnType<LanguageModelV3['doStream']> {
    return this.ask(() => this.model.doStream(this.change(options)));
  }
}
