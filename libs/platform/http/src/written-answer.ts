/** A body whose JSON is written already: it is sent as it is. For answers that many callers get alike. */
export class WrittenAnswer {
  constructor(readonly text: string) {}
}
