/** A subject of a flow: something of one type, in one language or as a whole. Every language has a state and a request of its own. */
export interface SubjectRef {
  /** Name under which its context has registered: `node`, `social_post`. */
  readonly type: string;
  readonly id: string;
  /** Null for subjects without languages. */
  readonly locale: string | null;
}

/** Where a subject belongs, as far as the scope of a flow asks. */
export interface SubjectPlace {
  readonly site: string | null;
  readonly locale: string | null;
}
