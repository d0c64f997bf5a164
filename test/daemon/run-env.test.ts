import { expect, test } from 'vitest';
import { runEnvironment } from '../../src/daemon/run-env.ts';

test('a run gets an allow list of variables: the provider’s key, and nothing that only happens to be there', () => {
  const env = {
    HOME: '/home/p',
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'a',
    ANTHROPIC_BASE_URL: 'b',
    CODEX_API_KEY: 'c',
    CODEX_HOME: '/c',
    https_proxy: 'p',
    GITHUB_TOKEN: 'secret',
    AWS_SECRET_ACCESS_KEY: 'secret',
    GOOGLE_APPLICATION_CREDENTIALS: 'secret',
    WATS_SECRET_FILE: 'secret',
    WATS_DIR: '/d',
    NODE_OPTIONS: '--require x',
    LD_PRELOAD: 'x',
    UNSET: undefined,
  };
  expect(Object.keys(runEnvironment(env)).sort()).toEqual([
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'CODEX_API_KEY',
    'CODEX_HOME',
    'HOME',
    'PATH',
    'https_proxy',
  ]);
});

test('credentials of a cloud go along only where the program is told to use that cloud', () => {
  const env = { AWS_REGION: 'r', AWS_PROFILE: 'p', GOOGLE_CLOUD_PROJECT: 'g', CLAUDE_CODE_USE_BEDROCK: '1' };
  expect(Object.keys(runEnvironment(env)).sort()).toEqual([
    'AWS_PROFILE',
    'AWS_REGION',
    'CLAUDE_CODE_USE_BEDROCK',
  ]);
});
