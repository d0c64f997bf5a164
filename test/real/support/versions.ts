/** The real programs that test/real drives, by exact version: what they were seen to do is what the runtimes rely on. */
export const CLIS = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.332', bin: 'claude' },
  codex: { package: '@openai/codex', version: '0.171.0', bin: 'codex' },
  // 770 MB; it runs without its install scripts.
  openclaw: { package: 'openclaw', version: '2026.9.6', bin: 'openclaw' },
  inspector: { package: '@modelcontextprotocol/inspector', version: '2.12.0', bin: 'mcp-inspector' },
} as const;
