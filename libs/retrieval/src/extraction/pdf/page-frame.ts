/** The page as it is held to read text of one direction: from its lower left corner. */
export interface Frame {
  readonly height: number;
  place(x: number, y: number): { readonly x: number; readonly y: number };
}
