import type { RequestFacts } from '../../control/domain/rules';

/** How somebody from outside comes to a link. */
export interface ShareCall {
  readonly address: string;
  readonly userAgent: string;
  /** What rules ask of a request. */
  readonly facts: RequestFacts;
  /** Loaded ahead by a browser, seen by nobody yet. */
  readonly prefetch: boolean;
  /** What proves that the link was unlocked, or that a device is a kiosk. */
  readonly bearer: string | null;
  /** In which visit they send files. */
  readonly visit: string | null;
}

export const agentKind = ({ facts: { agent } }: Pick<ShareCall, 'facts'>): 'browser' | 'bot' | 'other' =>
  agent === 'ai-crawler' ? 'bot' : agent;
