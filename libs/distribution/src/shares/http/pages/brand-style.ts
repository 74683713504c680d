import { inkOn, type PageColors } from '../../domain/page-colors';

const HEX = /^[0-9a-f]{6}$/;
const NAME = /^brand-([0-9a-f]{6})-([0-9a-f]{6})(?:-([0-9a-f]{6}))?\.css$/;

/** A sheet of its own for each set of colours: its address holds them, so that browsers keep it and pages need no inline styles. */
export const brandSheet = ({ day, night, paper }: PageColors): string => `brand-${day}-${night}${paper ? `-${paper}` : ''}.css`;

/** The sheet behind such an address; null for every other. */
export function brandStyle(name: string): string | null {
  const [, day, night, paper] = NAME.exec(name) ?? [];
  if (day === undefined || night === undefined || ![day, night].every((hex) => HEX.test(hex))) return null;
  return `:root{--accent:#${day};--accent-ink:#${inkOn(day)};${paper ? `--paper:#${paper};` : ''}--tint:color-mix(in srgb,var(--accent) 8%,var(--paper))}
@media (prefers-color-scheme:dark){:root{--accent:#${night};--accent-ink:#${inkOn(night)};--paper:#141618;--tint:color-mix(in srgb,var(--accent) 14%,var(--paper))}}
`;
}
