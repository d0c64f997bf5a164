/** The real programs that test/real drives, by exact version: what they were seen to do is what the runtimes rely on. */
export const CLIS = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.332', bin: 'claude' },
  codex: { package: '@openai/codex', version: '0.171.0', bin: 'codex' },
} as const;
