import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A tree of files that both servers serve, from the same place, so that every path in an expression means the same. Each expression
 * has a folder of its own with a .htaccess file: one that cannot be parsed spoils its folder and nothing else.
 */
export class Site {
  readonly root: string
  readonly tree: string

  constructor() {
    this.root = mkdtempSync(join(tmpdir(), 'oracle-expr-'))
    this.tree = join(this.root, 'htdocs')
    chmodSync(this.root, 0o755)
    mkdirSync(this.tree)
    this.write('page.html', 'page\n')
    this.write('empty', '')
    this.write('program', '#!/bin/sh\n')
    chmodSync(join(this.tree, 'program'), 0o755)
    symlinkSync('page.html', join(this.tree, 'link'))
    this.write('closed/.htaccess', 'Require all denied\n')
    this.write('closed/page.html', 'closed\n')
    this.write('guarded/.htaccess', 'AuthType Basic\nAuthName guarded\nRequire valid-user\n')
    this.write('guarded/index.html', 'guarded\n')
    // secret, as {SHA}
    writeFileSync(join(this.root, 'users'), 'alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n')
  }

  write(name: string, content: string): void {
    const path = join(this.tree, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content, 'latin1')
  }

  /** The folder of one expression: its .htaccess file beside a page. */
  folder(name: string, htaccess: readonly string[]): void {
    this.write(`${name}/.htaccess`, `${htaccess.join('\n')}\n`)
    this.write(`${name}/page.html`, 'page\n')
  }

  read(name: string): string {
    return readFileSync(join(this.root, name), 'latin1')
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}
