/** A document as people write it. */
export interface EverydayDocument {
  readonly title: string;
  readonly text: string;
  /** Nobody tunes the model on it or on its questions. */
  readonly held?: true;
}

/** A question, and what a right answer says; null: no document answers it, and the answer says so. */
export interface EverydayQuestion {
  readonly ask: string;
  /** Words of the sentence that answers, or of each of those that do. */
  readonly says: readonly string[] | null;
  /** Words of sentences that may stand beside it. */
  readonly beside?: readonly string[];
  /** The document that is cited; for one without an answer the one it is about. */
  readonly of: string;
  /** The question before it in the conversation. */
  readonly after?: string;
}

/** Documents of one workspace, and questions that people ask about them. */
export interface Everyday {
  readonly language: string;
  readonly documents: readonly EverydayDocument[];
  readonly questions: readonly EverydayQuestion[];
}
