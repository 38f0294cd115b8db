/**
 * Puts a backslash before each character that means something to a shell, and removes NUL (httpd's ap_escape_shell_cmd).
 * @since 2.4.6
 */
export function escapeShell(text: string): string {
  return text.replaceAll(/[&;`'"|*?~<>^()[\]{}$\\\n\xff]/g, '\\$&').replaceAll('\0', '')
}
