public import HTTPCore

/// An item of a to-do list.
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

/// An error response of the service.
public enum ToDoError: Error, Equatable {
    case noSuchToDo
    case refused(HTTPStatus)
}
