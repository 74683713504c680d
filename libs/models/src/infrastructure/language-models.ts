import { Injectable } from '@nestjs/common';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import { Settings } from '@atrium/platform/config';
import type { ModelAccess } from '../domain/model';
import type { TextModelOptions } from '../domain/text-model';
import { ChatProtocol, secretsOf } from './chat-protocol';
import { ExtractModel } from './extract-model';
import { MessagesProtocol } from './messages-protocol';
import { ProviderModel } from './provider-model';

/** The models of all protocols that write text, as the protocol library's `LanguageModelV3`. */
@Injectable()
export class LanguageModels {
  private readonly delayMs: number;

  constructor(
    private readonly chat: ChatProtocol,
    private readonly messages: MessagesProtocol,
    settings: Settings,
  ) {
    this.delayMs = settings.AI_LOCAL_DELAY_MS;
  }

  async openModel(access: ModelAccess, { signal, tries }: TextModelOptions = {}): Promise<LanguageModelV3> {
    const { model, protocol } = access;
    const given = signal ? { signal } : {};
    if (protocol === 'local') return withSignal(new ExtractModel(model.model_provider, access.name, this.delayMs), model.model_id, signal);
    const library = protocol === 'anthropic' ? this.messages : this.chat;
    const [whole, streaming] = await Promise.all([
      library.openModel(access, { ...given, tries }),
      library.openModel(access, { ...given, tries, streams: true }),
    ]);
    return new ProviderModel(model.model_id, { whole, streaming }, { signal, secrets: secretsOf(access) });
  }
}

const withSignal = (local: LanguageModelV3, model_id: string, signal: AbortSignal | undefined): LanguageModelV3 =>
  new ProviderModel(model_id, { whole: local, streaming: local }, { signal, isBuiltIn: true });
