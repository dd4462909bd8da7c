// HTTPClientKit.swift (comments only, as HTTPCore.swift)
//
// The client that applications use: `HTTPClient` puts the layers below together in the one order
// that works (Docs/Architecture.md) and adds what needs all of them: endpoints, task handles, the
// pipeline, downloads that resume. Importing it imports the layers.
//
// Never here: a policy. Each is a layer below, usable without this target.
//
// Read `HTTPClient.Configuration`, then `ClientAssembly`, then `HTTPBoundRequest`. For downloads,
// read `DownloadPlan` (which responses may be joined to a part), `PartRecord` (how many bytes of a
// part count) and `DownloadRun`.
//
// Folders, each refers only to those after it: Endpoint, Pipeline, Tasks, Events, Requests,
// Downloads, Client.
