import type { StatusGraph, StatusState } from './media-status-flow';

const state = (key: string, label: string, color: string, marks: Partial<StatusState> = {}): StatusState => ({
  key,
  label,
  color,
  initial: false,
  final: false,
  locks_edit: false,
  allows_download: true,
  allows_publish: true,
  allows_share: true,
  ...marks,
});

const STATES = [
  state('active', 'Active', '#2f7d4f', { initial: true }),
  state('in_review', 'In review', '#b7791f'),
  state('approved', 'Approved', '#2b6cb0'),
  state('archived', 'Archived', '#718096', { final: true }),
];

/** What every workspace begins with: four states, and free movement between them. */
export const STANDARD_FLOW: StatusGraph & { readonly msf_name: string; readonly msf_description: string } = {
  msf_name: 'Standard',
  msf_description: 'Files are active, in review, approved or archived, and can move freely between these statuses.',
  msf_states: STATES,
  msf_transitions: STATES.flatMap((from) =>
    STATES.filter((to) => to !== from).map((to) => ({
      from: from.key,
      to: to.key,
      label: to.label,
      movers: { permissions: [], roles: [], users: [] },
      requires_comment: false,
      required_tags: [],
      side: { notify: [] },
    })),
  ),
};
