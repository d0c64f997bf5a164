import { isObject, type Json } from './cli.ts';

/**
 * What OpenClaw checks of its hooks only when its gateway starts: `config validate` says nothing of it, and a gateway
 * that fails so runs a paid turn of its own to find out why. `null`: it would start.
 */
export function startProblem(hooks: Json): string | null {
  if (hooks['enabled'] !== true) return null;
  if (typeof hooks['token'] !== 'string' || hooks['token'].trim() === '') return 'hooks.token is empty';
  const path = hooks['path'];
  if (typeof path === 'string' && path.replace(/\/+$/, '') === '') return 'hooks.path may not be "/"';
  const prefixes = hooks['allowedSessionKeyPrefixes'];
  if (!Array.isArray(prefixes) || prefixes.length === 0) return null;
  const key = hooks['defaultSessionKey'];
  const needed = typeof key === 'string' && key !== '' ? key.toLowerCase() : 'hook:';
  if (prefixes.some((prefix) => typeof prefix === 'string' && needed.startsWith(prefix.toLowerCase())))
    return null;
  return needed === 'hook:'
    ? 'hooks.allowedSessionKeyPrefixes must include "hook:" when hooks.defaultSessionKey is unset'
    : 'hooks.defaultSessionKey must begin with one of hooks.allowedSessionKeyPrefixes';
}

/** Hooks after a patch, as far as these checks read them. */
export function hooksAfter(hooks: Json, patch: unknown): Json {
  return isObject(patch) ? { ...hooks, ...patch } : hooks;
}
