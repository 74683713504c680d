/** How a stored value changes without a loss when its field gets another type. */
export type Conversion = 'text' | 'decimal' | 'list';
