/** A .htaccess file for a httpd whose users are in another file. */
export function httpdAccessFile(text: string, usersFile: string): string {
  return text
    .replace(/^([ \t]*)AuthUserFile[ \t].*$/gim, `$1AuthUserFile "${usersFile}"`)
    .replace(/^([ \t]*)AuthBasicProvider[ \t].*$/gim, '$1AuthBasicProvider file')
}
