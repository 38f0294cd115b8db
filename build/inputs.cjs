// CommonJS and built-ins only: bootstrap.cjs runs under whatever Node the machine has.
'use strict'
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

const ROOT = dirname(__dirname)

/**
 * The folder for the input hashes of completed steps. It is below node_modules, so that a fresh install
 * discards it.
 */
const STAMPS = join(ROOT, 'node_modules', '.gatewright')

/**
 * One hash of files and whole folders (without build output), relative to the root; a missing one changes the
 * hash.
 */
function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) addPath(hash, path)
  return hash.digest('hex')
}

function hashOfText(text) {
  return createHash('sha256').update(text).digest('hex')
}

function addPath(hash, path) {
  let content
  try {
    content = readFileSync(join(ROOT, path))
  } catch (error) {
    if (error.code !== 'EISDIR') {
      hash.update(`- ${path}\n`)
      return
    }
    for (const name of readdirSync(join(ROOT, path)).sort()) if (!isMade(name)) addPath(hash, `${path}/${name}`)
    return
  }
  hash.update(`${path} ${content.length}\n`).update(content)
}

/** Names of files and folders that a build or configure writes. */
const MADE = ['dist', 'node_modules', 'config.nice', 'config.status.json']

function isMade(name) {
  return MADE.includes(name)
}

/** The files in a workspace's folder that its build reads. */
function workspaceInputs(folder) {
  return ['src', 'template', 'package.json', 'tsup.config.ts'].map((name) => `${folder}/${name}`)
}

/** Folders of all workspaces, `packages/api` ..., in the order of their names. */
function workspaceFolders() {
  return ['packages', 'modules'].flatMap((group) =>
    readdirSync(join(ROOT, group))
      .filter((name) => existsSync(join(ROOT, group, name, 'package.json')))
      .sort()
      .map((name) => `${group}/${name}`),
  )
}

/** Everything that a complete build and its staging depend on. */
function buildInputs() {
  return ['package-lock.json', 'tsconfig.json', 'UPGRADING.md', 'build', 'conf', ...workspaceFolders().flatMap(workspaceInputs)]
}

function readStamp(name) {
  const file = join(STAMPS, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function writeStamp(name, text) {
  mkdirSync(STAMPS, { recursive: true })
  writeFileSync(join(STAMPS, name), text)
}

module.exports = { ROOT, buildInputs, hashOf, hashOfText, readStamp, workspaceFolders, workspaceInputs, writeStamp }
