import { Injectable } from '@nestjs/common';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelAccess } from '../domain/model';
import type { TextModelOptions } from '../domain/text-model';
import { ChatProtocol } from './chat-protocol';

/** The models of all protocols, as the protocol library's `LanguageModelV3`. */
@Injectable()
export class LanguageModels {
  constructor(private readonly chat: ChatProtocol) {}

  open(access: ModelAccess, options: TextModelOptions = {}): Promise<LanguageModelV3> {
    return this.chat.modelOf(access, options);
  }
}
