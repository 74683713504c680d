export { AgentAccess } from './agents/application/agent-access';
export { ToolSources, type SourceTool, type ToolCall, type ToolOutcome, type ToolSource } from './agents/application/tool-sources';
export { type Approval, type OfferedTool, type ToolRisk } from './agents/domain/agent-tool';
export { AiHttpModule, AiModule, AiWorkerModule } from './ai.module';
export { ThreadEvents, type RunFence } from './events/thread-events';
export type { ThreadEvent } from './events/thread-event';
export { Memories } from './memories/application/memories';
export { PromptTexts, type ResolvedPrompt } from './prompts/application/prompt-texts';
