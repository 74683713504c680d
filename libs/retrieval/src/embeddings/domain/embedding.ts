/** What a text is embedded for: to be found, or to find. */
export type EmbeddingKind = 'query' | 'passage';

/** Texts as vectors of length 1, in the order of the texts. */
export interface Embedded {
  readonly vectors: readonly (readonly number[])[];
  /** `provider/model`. */
  readonly model: string;
  readonly dims: number;
  /** What a provider counted; 0 where nothing is bought. */
  readonly tokens: number;
}

/** The model that embeds at the moment. */
export interface EmbeddingModel {
  readonly model: string;
  /** Likeness below which two texts have nothing to do with each other. */
  readonly threshold: number;
  /** Trained on what texts mean; the built-in one compares the words and letters of texts. */
  readonly knowsMeaning: boolean;
}
