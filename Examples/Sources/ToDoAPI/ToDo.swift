public import HTTPCore

/// Something to do.
public struct ToDo: Codable, Equatable, Identifiable, Sendable {
    public var id: Int
    public var title: String
    public var isDone: Bool

    public init(id: Int, title: String, isDone: Bool = false) {
        self.id = id
        self.title = title
        self.isDone = isDone
    }
}

/// What the service answered in place of what was asked for.
public enum ToDoError: Error, Equatable {
    case noSuchToDo
    case refused(HTTPStatus)
}
