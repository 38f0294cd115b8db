import { HTTP_INTERNAL_SERVER_ERROR, type ModuleLog, OK, type Outcome, type Request } from '@gatewright/api'

/** Serves a path of this server in the place of a response (ProxySCGIInternalRedirect). */
export async function redirected(request: Request, location: string, contentType: string | null): Promise<Outcome> {
  return request.internalRedirect(location, contentType)
}

/** Serves a file in the place of a response (ProxySCGISendfile), if this server would serve it. */
export async function sendFile(request: Request, path: string, log: ModuleLog): Promise<Outcome> {
  const file = await request.lookupFile(path)
  if (file.status === 200 && file.fileInfo?.kind === 'file') {
    const response = await file.run()
    request.contentType = file.contentType
    request.respond(response.body)
    return OK
  }
  const kind = file.fileInfo === null ? 0 : 1
  const text = `Subrequest to file '${path}' not possible. (rr->status=${file.status}, rr->finfo.filetype=${kind})`
  log.write(request, 'error', 'AH00864', text)
  return HTTP_INTERNAL_SERVER_ERROR
}
