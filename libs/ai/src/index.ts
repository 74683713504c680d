export { AgentAccess } from './agents/application/agent-access';
export { ToolSources, type SourceTool, type ToolCall, type ToolOutcome, type ToolSource } from './agents/application/tool-sources';
export { type Approval, type OfferedTool, type ToolRisk } from './agents/domain/agent-tool';
export { AiHttpModule, AiModule, AiWorkerModule } from './ai.module';
export { Memories } from './memories/application/memories';
export { PromptTexts, type ResolvedPrompt } from './prompts/application/prompt-texts';
export { Assist } from './assist/application/assist';
export { type AssistInputs, type AssistResults, type Assisted } from './assist/application/assist-tasks';
export { type AssistTask } from './assist/domain/assist-task';
